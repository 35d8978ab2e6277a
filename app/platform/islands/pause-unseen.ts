/** Marks an element out of view with `data-still`, so that its style sheet can pause its animations. */
export function pauseUnseen(element: Element) {
  new IntersectionObserver((seen) => {
    element.toggleAttribute('data-still', seen.at(-1)?.isIntersecting === false)
  }).observe(element)
}
