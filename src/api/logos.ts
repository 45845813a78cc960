/** Returns a neutral SVG with the partner's name, because we may not ship their trademarks. */
export function logoSvg(name: string): string {
  const shown = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="48" viewBox="0 0 160 48" role="img" aria-label="${shown.replaceAll('"', '&quot;')}"><rect width="160" height="48" rx="8" fill="#0f172a"/><text x="80" y="30" fill="#f8fafc" font-family="system-ui,sans-serif" font-size="16" font-weight="600" text-anchor="middle">${shown}</text></svg>`;
}
