import { BODY, TAIL, TAIL_TRANSFORM } from '../shared/ui/Mark';

/** In a tone that is readable on a dark and on a light tab. */
const COLOR = '#d4642a';

export function faviconSvg(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="${COLOR}"><path fill-rule="evenodd" d="${BODY}"/><path transform="${TAIL_TRANSFORM}" d="${TAIL}"/></svg>\n`;
}
