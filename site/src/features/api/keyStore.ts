/** The key that all consoles share. It is in memory only: a reload forgets it, and nothing else ever sees it. */
import { createStore } from 'zustand/vanilla';

export const keyStore = createStore<{ key: string; setKey(key: string): void }>((set) => ({
  key: '',
  setKey: (key) => set({ key: key.trim() }),
}));
