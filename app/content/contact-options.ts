import { wholeAmountText } from '#app/platform/text/english-number.ts'

/** The options of the enquiry forms, in their order. */
export const countries = [
  'United States',
  'Canada',
  'United Kingdom',
  'Germany',
  'France',
  'Australia',
  'Japan',
  'South Korea',
  'Singapore',
  'Netherlands',
  'Sweden',
  'Switzerland',
  'India',
  'Brazil',
  'Mexico',
  'Spain',
  'Italy',
  'China',
  'Other',
] as const

/** The options of the home form's problem field. */
export const serviceOptions = [
  'Web Scraping Services',
  'Data Extraction',
  'API Development',
  'Market Research',
  'Price Monitoring',
  'Lead Generation',
  'Competitor Analysis',
  'Data Processing',
  'Automation Services',
  'Technical Support',
  'Other',
] as const

/** The options of the landing page's problem field. */
export const landingProblems = [
  'Competitor Price Monitoring',
  'Product Data Extraction',
  'Lead Generation',
  'Market Research',
  'Other',
] as const

export const budgets = [
  option('under-1k', () => `Under ${wholeAmountText(1000)}`),
  option('1k-5k', () => `${wholeAmountText(1000)} to ${wholeAmountText(5000)}`),
  option('5k-10k', () => `${wholeAmountText(5000)} to ${wholeAmountText(10_000)}`),
  option('10k-plus', () => `More than ${wholeAmountText(10_000)}`),
  option('discuss', () => 'Let us discuss it'),
] as const

export const timeframes = [
  { value: 'asap', label: 'As soon as possible' },
  { value: '1-2weeks', label: 'In 1 to 2 weeks' },
  { value: '1month', label: 'Within a month' },
  { value: 'flexible', label: 'Flexible' },
] as const

export type Budget = (typeof budgets)[number]['value']
export type Timeframe = (typeof timeframes)[number]['value']

/** Its label is in the currency of the settings. */
function option<Value extends string>(value: Value, write: () => string) {
  return {
    value,
    get label() {
      return write()
    },
  }
}
