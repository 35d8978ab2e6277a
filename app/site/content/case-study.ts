/** A story of the case-studies page. */
export type CaseStudy = {
  readonly slug: string
  /** The kind of system, as lists name it. */
  readonly category: string
  readonly title: string
  readonly summary: string
  readonly industry: string
  readonly client: string
  readonly challenge: readonly string[]
  readonly solution: readonly string[]
  readonly implementation: readonly string[]
  readonly technologies: readonly string[]
  readonly timeline: { readonly total: string; readonly phases: readonly { readonly when: string; readonly what: string }[] }
  readonly results: readonly Result[]
  readonly chart: Chart
}

/** `25%` `conversion increase`, and in a sentence what was measured. */
export type Result = { readonly value: string; readonly metric: string; readonly description: string }

/** Each story is drawn in the way that suits its figures. `caption` says in words what the picture shows. */
export type Chart = { readonly title: string; readonly caption: string } & (StagesChart | GrowthChart | FunnelChart | GridChart)

/** Steps one after the other on one line of time. */
export type StagesChart = { readonly kind: 'stages'; readonly stages: readonly { readonly label: string; readonly seconds: number }[] }

/** Two quantities over the same months; `revenue` in US dollars a month. */
export type GrowthChart = {
  readonly kind: 'growth'
  readonly months: readonly { readonly label: string; readonly users: number; readonly revenue: number }[]
}

/** What is left after each step. */
export type FunnelChart = { readonly kind: 'funnel'; readonly steps: readonly { readonly label: string; readonly count: number }[] }

/** One mark for each thing made. */
export type GridChart = {
  readonly kind: 'grid'
  readonly rows: { readonly label: string; readonly count: number }
  readonly columns: { readonly label: string; readonly count: number }
  /** How many were right at the first build; the others after a correction. */
  readonly firstTime: number
  /** Said of these, and of the others. */
  readonly states: readonly [first: string, corrected: string]
}
