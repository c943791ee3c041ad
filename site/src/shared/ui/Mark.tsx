/**
 * The wren: a round body with a short beak, and a raised tail of three bars of falling length, a
 * ranking. The favicon draws the same shapes.
 */
export const BODY = 'M1 18.8L4.9 15.6A9.2 9.2 0 1 1 4.1 22.2ZM9.7 15.4a1.4 1.4 0 1 0 .01 0Z';
export const TAIL =
  'M-2.75 -7.8V-19.8a1.1 1.1 0 0 1 1.1-1.1h0.9a1.1 1.1 0 0 1 1.1 1.1V-7.8ZM1.55 -6.9V-15a1.1 1.1 0 0 1 1.1-1.1h0.9a1.1 1.1 0 0 1 1.1 1.1V-6.9ZM5.85 -1.1V-10.2a1.1 1.1 0 0 1 1.1-1.1h0.9a1.1 1.1 0 0 1 1.1 1.1V-1.1Z';
export const TAIL_TRANSFORM = 'rotate(36 13 20) translate(13 20)';

export function Mark({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <path d={BODY} />
      <path d={TAIL} transform={TAIL_TRANSFORM} />
    </svg>
  );
}
