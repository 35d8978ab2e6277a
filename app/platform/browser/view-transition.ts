/**
 * Pages fade into one another where the browser can and the reader likes motion. The rule is a style element of its own, the first of
 * every document: from a style sheet, Chromium may read it after it has begun the transition, which it then aborts as an unhandled
 * rejection.
 */
export const viewTransitionStyle = '@media (prefers-reduced-motion: no-preference){@view-transition{navigation:auto}}'
