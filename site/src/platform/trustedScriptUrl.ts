/** Trusted Types policies for the addresses of scripts: only scripts of this site pass. */
import { createPolicy } from '../shared/lib/trustedTypes';

/** The address of a same-origin script, as an absolute URL; throws for any other. */
export function checkScriptUrl(url: string, base: string): string {
  const resolved = new URL(url, base);
  const { origin } = new URL(base);
  if (resolved.origin !== origin || !/^https?:$/.test(resolved.protocol)) {
    throw new TypeError(`refused to load a script from ${resolved.origin}: it is not this site`);
  }
  return resolved.href;
}

/** The policy is made with its first use: its name can be taken only once in a page. */
export function createScriptUrlPolicy(name: string): (url: string) => string {
  let policy: ReturnType<typeof createPolicy> | null = null;
  return (url) => {
    policy ??= createPolicy(name, {
      createScriptURL: (input) => checkScriptUrl(input, window.location.href),
    });
    return policy.createScriptURL(url);
  };
}
