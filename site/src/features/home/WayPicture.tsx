import type { Way } from '../../shared/content/model';
import styles from './WayPicture.module.css';

/**
 * A small picture beside each way in. The text beside it says the same, so it is hidden from
 * assistive technology. Shapes are filled with the ink or the accent of the theme by class.
 */
export function WayPicture({ id }: { id: Way['id'] }) {
  return (
    <svg className={styles.picture} viewBox="0 0 160 72" aria-hidden="true">
      {PICTURES[id]}
    </svg>
  );
}

const { ink, quiet, accent, line, accentLine } = styles;

/** Heights of the bars under the nDCG discount 1 / log2(rank + 1). */
const DISCOUNTS = [52, 33, 26, 22.5, 20, 18.5, 17.5, 16.5];

const PICTURES: Record<Way['id'], React.ReactNode> = {
  start: (
    <>
      <rect className={line} x="8" y="8" width="144" height="56" rx="6" />
      <path className={accentLine} d="m20 22 7 6-7 6" />
      <rect className={ink} x="34" y="25" width="46" height="5" rx="2.5" />
      <rect className={quiet} x="20" y="45" width="72" height="5" rx="2.5" />
      <rect className={quiet} x="98" y="45" width="22" height="5" rx="2.5" />
    </>
  ),
  data: (
    <>
      {[10, 28, 46].map((y, row) => (
        <g key={y}>
          <rect className={line} x="8" y={y} width="82" height="16" rx="4" />
          <rect className={ink} x="15" y={y + 5.5} width={[18, 24, 14][row]} height="5" rx="2.5" />
          <rect
            className={quiet}
            x="50"
            y={y + 5.5}
            width={[30, 22, 26][row]}
            height="5"
            rx="2.5"
          />
        </g>
      ))}
      <path className={accentLine} d="M98 36h20m-6-6 6 6-6 6" />
      <path className={line} d="M128 22v28c0 3 5 5 12 5s12-2 12-5V22" />
      <ellipse className={line} cx="140" cy="22" rx="12" ry="5" />
      <path className={line} d="M128 36c0 3 5 5 12 5s12-2 12-5" />
    </>
  ),
  models: (
    <>
      {[10, 19, 28, 37, 46, 55, 64].map((y) => (
        <circle key={y} className={quiet} cx="16" cy={y} r="3" />
      ))}
      <path className={line} d="M26 8v60M66 16v44M106 22v32" />
      {[19, 28, 37, 46, 55].map((y) => (
        <circle key={y} className={y === 28 || y === 46 ? quiet : ink} cx="46" cy={y} r="3" />
      ))}
      {[26, 37, 48].map((y, row) => (
        <circle key={y} className={ink} cx="86" cy={y} r={[3, 5, 4][row]} />
      ))}
      <rect className={accent} x="118" y="23" width="34" height="6" rx="3" />
      <rect className={ink} x="118" y="34" width="25" height="6" rx="3" />
      <rect className={ink} x="118" y="45" width="15" height="6" rx="3" />
    </>
  ),
  quality: (
    <>
      <path className={line} d="M10 64h142" />
      {DISCOUNTS.map((height, rank) => (
        <rect
          // The list never changes, and its order is its meaning.
          key={height}
          className={rank === 0 || rank === 2 ? accent : quiet}
          x={14 + rank * 17.5}
          y={62 - height}
          width="11"
          height={height}
          rx="2"
        />
      ))}
    </>
  ),
};
