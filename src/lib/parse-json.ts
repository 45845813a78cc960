/** Returns undefined when the text is not JSON: a firewall's page, a maintenance notice, half an answer. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
