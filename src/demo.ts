export async function runDemo(_options: { outputDir: string }): Promise<void> {}
