/**
 * Whether a key belongs to an input method that composes a word. All browsers give such a key this code; `isComposing` is false
 * in Safari for the key that confirms the word, of which it tells when the composition has ended.
 */
export function isComposing(event: KeyboardEvent): boolean {
  return event.keyCode === 229;
}
