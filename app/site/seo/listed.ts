/** A page that search engines may list. `changed` is a day such as `2026-11-20`, or an exact time. */
export type Listed = { path: string; title: string; description: string; changed: string }
