import { whenIdle } from './when-idle.ts'

/** One font that does not arrive must not hold back the others. */
const MOST_WAIT_MS = 3000

/**
 * A page that was just opened has its first parts laid out, in fallback fonts: paused animations of `fonts.css` hold this state. They end
 * here, some in each frame, so that no task is long on a slow phone. Only a page with this script gets that state.
 */
export function finishOpening() {
  afterPaint(changeFonts)
  addEventListener('scroll', () => layOutOneByOne(held('later')), { once: true })
  addEventListener('keydown', layOutAll, { once: true })
  addEventListener('click', ({ target }) => target instanceof Element && target.closest('[href*="#"]') && layOutAll())
}

/** The animations of that name, in the order of the document. */
function held(name: 'words-first' | 'later'): Animation[] {
  return document.getAnimations().filter((one) => one instanceof CSSAnimation && one.animationName === name)
}

function afterPaint(act: () => void) {
  requestAnimationFrame(() => setTimeout(act))
}

/** All fonts first, so that each text changes once. A font that cannot be loaded, or is late, leaves its fallback for now. */
function changeFonts() {
  const loaded = Promise.allSettled([...document.fonts].map((font) => font.load()))
  void Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, MOST_WAIT_MS))]).then(() => changeSome(held('words-first')))
}

/** Three in each frame: a frame costs more than the change of a small part. */
function changeSome(changes: Animation[]) {
  for (const change of changes.splice(0, 3)) change.cancel()
  if (changes.length > 0) afterPaint(() => changeSome(changes))
}

/** A reader who scrolls can come to any position, and return to it later, so all heights have to be real soon. */
function layOutOneByOne(parts: Animation[]) {
  whenIdle(() => {
    parts.shift()?.cancel()
    if (parts.length > 0) layOutOneByOne(parts)
  })
}

/** Such a key or link can lead to any position, immediately. */
function layOutAll() {
  for (const part of held('later')) part.cancel()
}
