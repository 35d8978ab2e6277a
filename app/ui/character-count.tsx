import { useEffect, useRef, useState } from 'react'
import { characterCount, manyLines } from '#app/platform/text/clean-text.ts'
import { numberText } from '#app/platform/text/english-number.ts'

/** The count appears from this share of the maximum on. */
const NEAR = 0.9

/**
 * The number of characters of a control, as the server counts them, once it is near the maximum. A text over the maximum stays whole:
 * `maxlength` would cut a pasted text without a word.
 */
export function useCharacterCount<Element extends HTMLInputElement | HTMLTextAreaElement>(
  most: number | undefined,
  { value, defaultValue }: { value?: unknown; defaultValue?: unknown },
) {
  const control = useRef<Element>(null)
  const [typed, setTyped] = useState(defaultValue)
  useEffect(() => {
    // Text that was typed before hydration.
    if (most !== undefined) setTyped(control.current?.value)
  }, [most])
  const onInput = (event: React.SyntheticEvent<Element>) => most !== undefined && setTyped(event.currentTarget.value)
  return { watch: { ref: control, onInput }, count: countCharacters(value ?? typed, most) }
}

type Count = { text: string; isOver: boolean }

export function countCharacters(text: unknown, most = Infinity): Count | undefined {
  // A text has at most as many characters as code units, so most keystrokes count nothing.
  if (typeof text !== 'string' || text.length < most * NEAR) return undefined
  const count = characterCount(manyLines(text))
  if (count < most * NEAR) return undefined
  const sum = `${numberText(count)} of ${numberText(most)} characters`
  return count > most ? { text: `${sum}: ${numberText(count - most)} too many`, isOver: true } : { text: sum, isOver: false }
}

export function CharacterCount({ id, count }: { id: string; count: Count | undefined }) {
  if (!count) return null
  return (
    <span id={id} role="status" className={count.isOver ? 'text-fine font-medium text-alarm' : 'text-fine text-muted'}>
      {count.text}
    </span>
  )
}
