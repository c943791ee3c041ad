const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/**
 * "2026-11-21" as "21 November 2026". By hand in English, because the build and the browser must write the same text whatever
 * their language data; others are as the browser or the build has them.
 */
export function formatDate(date: string, language: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date);
  const month = match && MONTHS[Number(match[2]) - 1];
  if (!match || !month) return date;
  if (/^en\b/i.test(language)) return `${Number(match[3])} ${month} ${match[1]}`;
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(new Date(date));
}
