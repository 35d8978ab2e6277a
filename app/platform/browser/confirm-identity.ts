/** The code of a refusal that a recent sign-in would lift. */
const WANTED = 'recent_sign_in_required'

type Ask = () => Promise<boolean>

let ask: Ask | undefined
let asking: Promise<boolean> | undefined

/** Sets the prompt that asks the person to confirm their identity; the function returned removes it. */
export function askIdentityBy(next: Ask): () => void {
  ask = next
  return () => {
    if (ask === next) ask = undefined
  }
}

/** Whether to send a refused request again: the person has just confirmed their identity. Concurrent requests share one prompt. */
export async function mayRepeat(code: string | undefined): Promise<boolean> {
  if (code !== WANTED || !ask) return false
  asking ??= ask().finally(() => (asking = undefined))
  return asking
}
