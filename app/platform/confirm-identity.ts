/** The code of a refusal that a recent confirmation would lift. */
const WANTED = 'recent_sign_in_required'

type Ask = () => Promise<boolean>

let ask: Ask | undefined
let asking: Promise<boolean> | undefined

/** Sets who asks the person to confirm who they are; the function returned takes that back. */
export function askIdentityBy(next: Ask): () => void {
  ask = next
  return () => {
    if (ask === next) ask = undefined
  }
}

/** Whether a refused request may be sent once more: the person has just confirmed who they are. Several at the same time ask once. */
export async function mayRepeat(code: string | undefined): Promise<boolean> {
  if (code !== WANTED || !ask) return false
  asking ??= ask().finally(() => (asking = undefined))
  return asking
}
