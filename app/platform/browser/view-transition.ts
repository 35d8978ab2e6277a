/**
 * Pages fade into one another where the browser can and the reader likes motion. The rule is a style element of its own, the first of
 * every document: from a style sheet, Chromium may read it after it has begun the transition, which it then aborts as an unhandled
 * rejection. The fade is short, because a page takes no click while it lasts: the browser hides what it animates from the pointer.
 */
export const viewTransitionStyle =
  '@media (prefers-reduced-motion: no-preference){@view-transition{navigation:auto}' +
  '::view-transition-group(*),::view-transition-old(*),::view-transition-new(*){animation-duration:.1s}}'
