/** The delivered kinds of systems, in the order of the page. Settings choose a chart by them. */
export const CASE_STUDIES = [
  'Real estate lead system',
  'AI social media system',
  'PPC agency outreach automation',
  '500 automated local web pages',
] as const

/** The address of a case study on its page: `AI social media system` has `ai-social-media-system`. */
export function anchorOf(category: string): string {
  return category
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
}

/** One case study of the page. A part that is empty is not shown. */
export type CaseStudy = {
  readonly slug: string
  /** The kind of system, as lists name it. */
  readonly category: string
  /** In a sentence that names several. */
  readonly inShort: string
  readonly title: string
  readonly summary: string
  readonly industry: string
  readonly client: string
  /** Markdown, with headings of the third level. */
  readonly text: string
  readonly technologies: readonly string[]
  readonly timeline: { readonly total: string; readonly phases: readonly { readonly when: string; readonly what: string }[] }
  readonly results: readonly Result[]
  readonly chart?: Chart | undefined
}

/** `25%` `conversion increase`, and a sentence about the measurement. */
export type Result = { readonly value: string; readonly metric: string; readonly description: string }

/** Each case study has the chart that suits its figures. `caption` is the text alternative. */
export type Chart = { readonly title: string; readonly caption: string } & (StagesFigures | GrowthFigures | FunnelFigures | GridFigures)

/** Consecutive steps on one timeline. */
export type StagesFigures = { readonly kind: 'stages'; readonly stages: readonly { readonly label: string; readonly seconds: number }[] }

/** Two quantities over the same months; `revenue` in US dollars a month. */
export type GrowthFigures = {
  readonly kind: 'growth'
  readonly months: readonly { readonly label: string; readonly users: number; readonly revenue: number }[]
}

/** The remainder after each step. */
export type FunnelFigures = { readonly kind: 'funnel'; readonly steps: readonly { readonly label: string; readonly count: number }[] }

/** One mark for each item. */
export type GridFigures = {
  readonly kind: 'grid'
  readonly rows: { readonly label: string; readonly count: number }
  readonly columns: { readonly label: string; readonly count: number }
  /** How many were right in the first build; the others were corrected. */
  readonly firstTime: number
  /** The labels of these and of the others. */
  readonly states: readonly [first: string, corrected: string]
}
