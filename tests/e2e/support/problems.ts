/**
 * Everything that must never happen in a page, seen from outside: violations of the content security
 * policy, uncaught errors, and errors on the console that the journey did not cause on purpose.
 */
import type { BrowserContext } from '@playwright/test';

const BINDING = '__reportPolicyViolation';

export class Problems {
  readonly #found: string[] = [];

  /** Call before the context opens its first page. */
  async watch(context: BrowserContext): Promise<void> {
    context.on('weberror', (event) => this.#found.push(`uncaught: ${event.error().message}`));
    context.on('console', (message) => {
      if (message.type() === 'error') {
        this.#found.push(`console: ${message.text()} (${message.location().url})`);
      }
    });
    await context.exposeBinding(BINDING, (_source, violation: string) => {
      this.#found.push(`policy: ${violation}`);
    });
    await context.addInitScript((binding) => {
      document.addEventListener('securitypolicyviolation', (event) => {
        const report = (globalThis as unknown as Record<string, (text: string) => void>)[binding];
        report?.(
          `${event.effectiveDirective} refused ${event.blockedURI} in ${event.sourceFile}:${event.lineNumber} ${event.sample}`,
        );
      });
    }, BINDING);
  }

  all(): readonly string[] {
    return this.#found;
  }

  /** For a test that causes them on purpose. */
  forget(): void {
    this.#found.length = 0;
  }

  /** What happened and was not expected. Expected are only console messages. */
  unexpected(expected: RegExp): string[] {
    return this.#found.filter(
      (problem) => !(problem.startsWith('console: ') && expected.test(problem)),
    );
  }
}
