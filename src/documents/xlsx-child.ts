import { readXlsx, WorkbookError } from './xlsx-table.ts';

// A process of its own: read-xlsx-apart.ts sends it one workbook.
process.once('message', async (bytes: Uint8Array) => {
  const message = await readXlsx(Buffer.from(bytes)).then(
    (sheets) => ({ sheets }),
    (error: Error) => ({
      refusal: error instanceof WorkbookError ? error.message : `cannot be read: ${error.message}`,
    }),
  );
  process.send?.(message, () => process.disconnect());
});
