import { useEffect, useState } from 'react'

/** In milliseconds: shorter than a pause between two words, so nothing is asked for every key. */
const PAUSE = 400

/** A text once it has not changed for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
