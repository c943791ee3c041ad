/** The icons of the modal: one family, drawn like the site's own (strokes: base.css), silent to a screen reader. */
import type { ReactNode } from 'react';

function Icon({ size = 20, children }: { size?: number; children: ReactNode }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden="true">
      {children}
    </svg>
  );
}

export function SearchIcon() {
  return (
    <Icon>
      <circle cx="8.75" cy="8.75" r="5.25" />
      <path d="m12.75 12.75 4 4" />
    </Icon>
  );
}

export function SpinnerIcon() {
  return (
    <Icon>
      <circle cx="10" cy="10" r="7" opacity="0.25" />
      <path d="M10 3a7 7 0 0 1 7 7" />
    </Icon>
  );
}

export function PageIcon() {
  return (
    <Icon size={18}>
      <path d="M5 2.75h6.5L15 6.25v11H5z" />
      <path d="M11.25 2.75v3.75H15M7.75 10h4.5M7.75 13.25h3" />
    </Icon>
  );
}

export function SectionIcon() {
  return (
    <Icon size={18}>
      <path d="M8.25 3.5 6.75 16.5M13.25 3.5l-1.5 13M4 7.75h12.5M3.5 12.25H16" />
    </Icon>
  );
}

export function RecentIcon() {
  return (
    <Icon size={18}>
      <path d="M3.4 8A7 7 0 1 1 3 10.5" />
      <path d="M3 4.25V8h3.75M10 6.25V10l2.75 1.75" />
    </Icon>
  );
}

/** A star: filled where the search is a favorite. */
export function FavoriteIcon({ isKept }: { isKept: boolean }) {
  return (
    <Icon size={18}>
      <path
        d="m10 3 2.1 4.4 4.8.65-3.5 3.35.85 4.75L10 13.85l-4.25 2.3.85-4.75L3.1 8.05l4.8-.65z"
        fill={isKept ? 'currentColor' : 'none'}
      />
    </Icon>
  );
}

export function CloseIcon() {
  return (
    <Icon size={16}>
      <path d="m5 5 10 10M15 5 5 15" />
    </Icon>
  );
}

export function EnterIcon() {
  return (
    <Icon size={16}>
      <path d="M16 4.5v4.75a2 2 0 0 1-2 2H4.5" />
      <path d="m7.75 8-3.5 3.25 3.5 3.25" />
    </Icon>
  );
}

export function UpIcon() {
  return (
    <Icon size={16}>
      <path d="M10 16V4.5M5.5 9 10 4.5 14.5 9" />
    </Icon>
  );
}

export function DownIcon() {
  return (
    <Icon size={16}>
      <path d="M10 4v11.5M5.5 11l4.5 4.5 4.5-4.5" />
    </Icon>
  );
}

/** Offline: a place on this device that the answer came from. */
export function OfflineIcon() {
  return (
    <Icon size={16}>
      <path d="M10 3v8.5m-3.25-3L10 11.75l3.25-3.25" />
      <path d="M3.5 12v3.25a1.5 1.5 0 0 0 1.5 1.5h10a1.5 1.5 0 0 0 1.5-1.5V12" />
    </Icon>
  );
}

export function UnreachableIcon() {
  return (
    <Icon size={28}>
      <path d="M3 7.75a10.5 10.5 0 0 1 4-2.3M17 7.75a10.4 10.4 0 0 0-5.5-2.7M5.6 11a6.7 6.7 0 0 1 3-1.75M14.4 11a6.5 6.5 0 0 0-1.4-1.05M8.25 13.9a2.9 2.9 0 0 1 3.5 0" />
      <path d="M10 16.6h.01M3.5 2.75l13 14" />
    </Icon>
  );
}

export function NothingIcon() {
  return (
    <Icon size={28}>
      <circle cx="8.75" cy="8.75" r="5.25" />
      <path d="m12.75 12.75 4 4M6.9 6.9l3.7 3.7M10.6 6.9l-3.7 3.7" />
    </Icon>
  );
}
