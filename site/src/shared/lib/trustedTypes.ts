/**
 * The policies that turn strings into code or markup under `require-trusted-types-for 'script'`.
 * The response header allows exactly the names used here and by the search worker.
 */
interface PolicyOptions {
  createHTML?: (input: string) => string;
  createScriptURL?: (input: string) => string;
}

interface Policy {
  createHTML(input: string): string;
  createScriptURL(input: string): string;
}

interface Factory {
  createPolicy(name: string, options: PolicyOptions): Policy;
}

/**
 * Makes a policy where the browser has Trusted Types. Elsewhere the options themselves do the
 * work, so that their checks hold in every browser.
 *
 * The values a policy returns are objects that only look like strings to the type checker; they
 * must go to their sink as they are, never through a template or a concatenation.
 */
export function createPolicy(name: string, options: PolicyOptions): Policy {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory };
  if (trustedTypes) return trustedTypes.createPolicy(name, options);
  const refuse = () => {
    throw new TypeError(`The policy ${name} does not make this kind of value.`);
  };
  return {
    createHTML: options.createHTML ?? refuse,
    createScriptURL: options.createScriptURL ?? refuse,
  };
}
