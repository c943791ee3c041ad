import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import { viteConfig } from './tools/viteConfig.mjs';

export default mergeConfig(
  viteConfig(join(import.meta.dirname, '../wasm-core/pkg')),
  defineConfig({
    test: {
      environment: 'happy-dom',
      // Tests read documents; they load nothing that these name.
      environmentOptions: {
        happyDOM: {
          settings: {
            disableCSSFileLoading: true,
            disableJavaScriptFileLoading: true,
            handleDisabledFileLoadingAsSuccess: true,
          },
        },
      },
      include: ['src/**/*.test.{ts,tsx}'],
    },
  }),
);
