/** One family: 24 units, strokes, one corner open. Sections without a drawing get a page. */
const PATHS: Record<string, string> = {
  overview: 'M21 12a9 9 0 1 1-9-9M15.5 8.5 13.5 13.5 8.5 15.5 10.5 10.5ZM17 3.5l3.5 3.5',
  connectors: 'M9 3v5M15 3v5M6.5 8h11v3a5.5 5.5 0 0 1-11 0ZM12 16.5V21',
  metrics: 'M4 20V4M4 20h16M8.5 16V9M13 16v-4M17.5 16V6',
};

const PAGE = 'M18 9.5V20H6V4h7M13 4l5 5.5M9 13h6M9 16.5h4';

export function SectionIcon({ id }: { id: string }) {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d={PATHS[id] ?? PAGE} />
    </svg>
  );
}
