/** One font that does not arrive must not hold back the others. */
const MOST_WAIT_MS = 3000

/**
 * A page that was just opened has its first parts laid out, in fallback fonts: paused animations of `fonts.css` hold this state. They end
 * here, some in each frame, so that no task is long on a slow phone. Only a page with this script gets that state.
 */
export function finishOpening() {
  afterPaint(changeFonts)
  // A reader who scrolls can come to any position, and return to it later, so all heights have to be real soon.
  addEventListener('scroll', () => endSome(held('later'), 1), { once: true })
  // A key or a link can lead to any position, immediately.
  for (const step of ['keydown', 'click']) addEventListener(step, layOutAll, { once: true })
}

/** The animations of that name, in the order of the document. */
function held(name: 'words-first' | 'later'): Animation[] {
  return document.getAnimations().filter((one) => 'animationName' in one && one.animationName === name)
}

function afterPaint(act: () => void) {
  requestAnimationFrame(() => setTimeout(act))
}

/** All fonts first, so that each text changes once. A font that cannot be loaded, or is late, leaves its fallback for now. */
function changeFonts() {
  // A frame costs more than the change of a small part.
  const change = () => endSome(held('words-first'), 3)
  setTimeout(change, MOST_WAIT_MS)
  void Promise.allSettled([...document.fonts].map((font) => font.load())).then(change)
}

/** So many in each frame. */
function endSome(animations: Animation[], count: number) {
  for (const each of animations.splice(0, count)) each.cancel()
  if (animations.length > 0) afterPaint(() => endSome(animations, count))
}

function layOutAll() {
  for (const part of held('later')) part.cancel()
}
