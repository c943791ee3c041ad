/** A script of its own, on the pages of sites that count their readers. */
import { reportPageViews } from '../features/analytics/pageViews';
import { PAGE_EVENT } from './pageEvent';

const { endpoint } = (document.currentScript as HTMLScriptElement).dataset;
if (endpoint) reportPageViews(window, endpoint, PAGE_EVENT);
