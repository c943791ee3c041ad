/** The `_headers` file, which static hosts and our own server read. */
import { createHash } from 'node:crypto';
import type { SearchConfig } from '../shared/content/model';

/** What the policy lets pages do, beside what every page does. */
export interface Allowed {
  search: SearchConfig | null;
  /** Where page views are sent. */
  analytics: string | null;
  /** Those that consoles of API references may call. */
  servers: string[];
  /** The other sites whose images pages show. */
  imageOrigins: string[];
  /** The texts that stand in pages. */
  inline: { scripts: string[]; styles: string[] };
}

export function headersFile(base: string, allowed: Allowed): string {
  return `${base}*
  Content-Security-Policy: ${contentSecurityPolicy(allowed)}
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
 * Nothing inline but what we put there, by its hash; nothing from elsewhere, no strings as code. WebAssembly may be compiled for the
 * search, and the search may call its server; page views may be sent where the site says. The named policies are `features/page/pageHtml.ts`,
 * the boot script's for the service worker, and the search worker's.
 */
export function contentSecurityPolicy({
  search,
  analytics,
  servers,
  imageOrigins,
  inline,
}: Allowed): string {
  const liveUrl = search === null || search.mode === 'local' ? null : search.apiUrl;
  // The site's own origin stands there anyway: a path needs nothing more.
  const isElsewhere = (url: string | null) => url !== null && URL.canParse(url);
  const called = [liveUrl, analytics, ...servers]
    .filter(isElsewhere)
    .map((url) => new URL(url ?? '').origin);
  return [
    "default-src 'none'",
    ["script-src 'self' 'wasm-unsafe-eval'", ...inline.scripts.map(hashSource)].join(' '),
    ["style-src 'self'", ...inline.styles.map(hashSource)].join(' '),
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

/** As a policy names a text that stands in a page. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
