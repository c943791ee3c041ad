import type { SearchConfig } from '../../shared/content/model';

/** Why there can be no search with this configuration; null when there can. */
export function searchProblem(config: SearchConfig): string | null {
  if (config.mode === 'local') {
    return null;
  }
  if (!config.key) {
    return `the search key is missing, so there is no search: set SIFTWREN_SEARCH_KEY in the environment of the site build, or [search] mode = "local" in siftwren.toml (mode is "${config.mode}")`;
  }
  if (!config.apiUrl || !config.model) {
    return `[search] api_url or model is missing in siftwren.toml, so there is no search: mode "${config.mode}" needs both`;
  }
  return null;
}
