/** The site's line icons: one family, 20 units, drawn with a stroke of 1.5. */
const PATHS = {
  search: 'M14 14l3.5 3.5M15.5 9a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0Z',
  menu: 'M3 5.5h14M3 10h14M3 14.5h9',
  close: 'M5 5l10 10M15 5L5 15',
  sun: 'M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM10 1.5v1.7M10 16.8v1.7M1.5 10h1.7M16.8 10h1.7M4 4l1.2 1.2M14.8 14.8 16 16M16 4l-1.2 1.2M5.2 14.8 4 16',
  moon: 'M16.8 12A7.3 7.3 0 0 1 8 3.2 7 7 0 1 0 16.8 12Z',
  chevron: 'M7.5 5l5 5-5 5',
  arrowLeft: 'M16 10H4M8.5 5.5 4 10l4.5 4.5',
  arrowRight: 'M4 10h12M11.5 5.5 16 10l-4.5 4.5',
  arrowUp: 'M10 16V4M4.5 9.5 10 4l5.5 5.5',
  pencil: 'M3.5 16.5l.8-3.3L13 4.5l2.5 2.5-8.7 8.7-3.3.8ZM11.2 6.3l2.5 2.5',
  external: 'M8 5H5v10h10v-3M11 4.5h4.5V9M15 5l-6 6',
} as const;

type IconName = keyof typeof PATHS;

export function Icon({ name, className }: { name: IconName; className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
