/** The `_headers` file, which static hosts and our own server read. */
import type { SearchConfig } from '../shared/content/model';

/** `servers` are those that consoles of API references may call, `imageOrigins` the sites whose images pages show. */
export function headersFile(
  search: SearchConfig | null,
  base: string,
  analytics: string | null,
  servers: string[],
  imageOrigins: string[],
): string {
  return `${base}*
  Content-Security-Policy: ${contentSecurityPolicy(search, analytics, servers, imageOrigins)}
  X-Content-Type-Options: nosniff
  Referrer-Policy: no-referrer
  Cross-Origin-Opener-Policy: same-origin
  Permissions-Policy: accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()

${base}assets/*
  Cache-Control: public, max-age=31536000, immutable

${base}sw.js
  Cache-Control: no-cache

${base}search.json
  Cache-Control: no-cache
`;
}

/**
 * Nothing inline, nothing from elsewhere, no strings as code. WebAssembly may be compiled for the
 * search, and the search may call its server; page views may be sent where the site says, and images
 * come from the sites whose images pages show. The named policies are `features/page/pageHtml.ts`,
 * the boot script's for the service worker, and the search worker's.
 */
export function contentSecurityPolicy(
  search: SearchConfig | null,
  analytics: string | null,
  servers: string[],
  imageOrigins: string[],
): string {
  const liveUrl = search === null || search.mode === 'local' ? null : search.apiUrl;
  // The site's own origin stands there anyway: a path needs nothing more.
  const isElsewhere = (url: string | null) => url !== null && URL.canParse(url);
  const called = [liveUrl, analytics, ...servers]
    .filter(isElsewhere)
    .map((url) => new URL(url ?? '').origin);
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    ["img-src 'self' data:", ...imageOrigins].join(' '),
    ['connect-src', "'self'", ...new Set(called)].join(' '),
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types siftwren-page siftwren-sw siftwren-worker',
  ].join('; ');
}
