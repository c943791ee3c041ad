import { use } from 'react';
import type { LogoImage } from '../content/model';
import { SiteContext } from '../content/SiteContext';

/** The picture of the site, where it has one: drawn in the colour around it, or a file. */
export function Mark({ className }: { className?: string | undefined }) {
  // A page that crashed has none around it.
  const { logo = null, base = '/' } = use(SiteContext) ?? {};
  if (logo === null) return null;
  if ('src' in logo) {
    const image = ({ src, width, height }: LogoImage, only?: 'dark' | 'light') => (
      <img
        className={className}
        src={base + src}
        width={width}
        height={height}
        alt=""
        data-logo=""
        data-only={only}
      />
    );
    if (logo.dark === null) return image(logo);
    return (
      <>
        {image(logo, 'light')}
        {image(logo.dark, 'dark')}
      </>
    );
  }
  return (
    <svg className={className} viewBox={logo.view_box} aria-hidden="true" data-logo="">
      {logo.paths.map(({ d, transform, fill_rule }) => (
        <path key={d} d={d} transform={transform ?? undefined} fillRule={fill_rule ?? undefined} />
      ))}
    </svg>
  );
}
