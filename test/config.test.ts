import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';

const BUCKET = {
  DOCUMENTS_S3_URL: 'https://s3.example.com/labels/',
  DOCUMENTS_S3_KEY: 'key',
  DOCUMENTS_S3_SECRET: 'hush',
};

describe('the settings of the bucket', () => {
  it('are none unless they are given', () => {
    expect(readConfig({}).documentBucket).toBeNull();
  });

  it('have a region, and an address without a slash at the end', () => {
    expect(readConfig(BUCKET).documentBucket).toEqual({
      url: 'https://s3.example.com/labels',
      region: 'us-east-1',
      key: 'key',
      secret: 'hush',
    });
  });

  it('are given whole, and what is missing is named without what is there', () => {
    const { DOCUMENTS_S3_SECRET } = BUCKET;
    const read = () => readConfig({ DOCUMENTS_S3_SECRET, DOCUMENT_DAYS: '61' });

    expect(read).toThrow(/DOCUMENT_DAYS: must be from 62 to 3650/);
    expect(() => readConfig({ DOCUMENTS_S3_SECRET })).toThrow(
      /DOCUMENTS_S3_URL: must be set, since DOCUMENTS_S3_SECRET is\n {2}DOCUMENTS_S3_KEY: must be set/,
    );
    expect(() => readConfig({ DOCUMENTS_S3_SECRET })).not.toThrow(/hush/);
  });
});
