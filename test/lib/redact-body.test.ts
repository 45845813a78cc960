import { describe, expect, it } from 'vitest';
import { Placeholders } from '../../src/lib/placeholders.ts';
import { redactBody } from '../../src/lib/redact-body.ts';

const placeholders = new Placeholders({
  names: ['Eleonora Dùse', 'Via Giuseppe Garibaldi, 57', 'Abbiategrasso'],
  codes: ['eleonora@posta.example', 'ORD-2026-77', '1020304', '552'],
  phones: ['+39 347 9988776'],
});
const redact = (text: string): string => redactBody(text, placeholders);
const KNOWN = /eleonora|d[uù]se|garibaldi|giuseppe|abbiategrasso|posta\.|ORD-2026|1020304|9988776/i;

describe('redacting a body', () => {
  it.each([
    ['JSON', '{"consignee":{"n":"ELEONORA DUSE","where":"Via Giuseppe Garibaldi, 57 - 20081 Abbiategrasso"}}'],
    ['JSON with escapes', String.raw`{"a":"Eleonora D\u00f9se","b":["eleonora@posta.example"]}`],
    ['a number in JSON', '{"senderCustomerCode":1020304}'],
    ['XML', '<?xml version="1.0"?><P d="D&#249;se"><R>Eleonora D&#xF9;se</R><L><![CDATA[ABBIATEGRASSO]]></L></P>'],
    ['XML in XML', '<string>&lt;P&gt;&lt;R&gt;Eleonora Duse&lt;/R&gt;&lt;/P&gt;</string>'],
    ['XML in a form', `XMLInfo=${encodeURIComponent('<P><R>Eleonora Dùse</R></P>')}&Tel=3479988776`],
    ['a query above its body', 'order=ORD-2026-77\n{"name":"Eleonora Duse"}'],
    ['a sentence', 'Consegnato a DUSE ELEONORA, tel. 347/9988776'],
    ['a name that was cut', '{"R":"Via Giuseppe Garib"}'],
    ['a word that was cut', '{"R":"presso Eleon"}'],
    ['a phone without its country', '<T>3479988776</T>'],
    ['a phone with it', '<T>00393479988776</T>'],
  ])('replaces what is known in %s', (_what, text) => {
    expect(redact(text)).not.toMatch(KNOWN);
    expect(redact(text)).not.toMatch(/eleon|garib/i);
  });

  it('replaces fields that hold people, in any role', () => {
    const redacted = redact(
      '{"signedBy":"","signedByName":"Luigi Pirandello","telefono":"06123","attentionName":"Luigi"}',
    );

    expect(redacted).not.toMatch(/luigi|pirandello|6123/i);
    expect(JSON.parse(redacted).signedByName).toMatch(/^[A-Z][a-z]{4} [A-Z][a-z]{9}$/);
  });

  it('gives the same value the same placeholder, of the same shape', () => {
    const { a, b, c } = JSON.parse(redact('{"a":"Eleonora Dùse","b":"DUSE","c":"ORD-2026-77"}'));

    expect(a).toMatch(/^[A-Z][a-z]{7} [A-Z][a-z]{3}$/);
    expect(b).toBe(a.split(' ')[1].toUpperCase());
    expect(c).toMatch(/^[A-Z]{3}-\d{4}-\d{2}$/);
  });

  it('is not the same in two files: a hash of a phone number is soon guessed', () => {
    const again = new Placeholders({ names: [], codes: [], phones: ['3479988776'] });
    const once = new Placeholders({ names: [], codes: [], phones: ['3479988776'] });

    expect(redactBody('3479988776', again)).not.toBe(redactBody('3479988776', once));
  });

  it('leaves what answers depend on', () => {
    const text =
      '{"zip":"20081","province":"MI","code":"5523","tracking":"YA347998877","status":552.5,"text":"via terra"}';

    expect(redact(text)).toBe(text);
  });

  it('replaces a short number only where it is the whole value', () => {
    expect(redact('{"contract":"552","text":"error 552"}')).toMatch(
      /^\{"contract":"(?!552)\d{3}","text":"error 552"\}$/,
    );
  });

  it('cuts labels and tokens out', () => {
    expect(redact('%PDF-1.7 Eleonora Duse')).toBe('%PDF-1.4\n%%EOF\n');
    expect(redact('<Zpl>^XA^FDEleonora Duse^FS^XZ</Zpl>')).toBe('<Zpl>^XA^XZ</Zpl>');
    expect(redact('{"access_token":"abc","expires_in":3600}')).toBe('{"access_token":"***","expires_in":3600}');
  });

  it('leaves out what is not whole', () => {
    expect(redact('{"name":"Eleonora Du[cut after 20 of 900 characters]')).toMatch(/^\[left out/);
  });
});
