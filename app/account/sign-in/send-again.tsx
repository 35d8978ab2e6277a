import { useEffect, useState } from 'react'
import { Button } from '#app/ui/button.tsx'

type SendAgainProps = React.ComponentProps<typeof Button> & {
  /** No code is sent before this time, in milliseconds since 1970. */
  waitUntil: number
  busy: boolean
}

/** Sends another code once that is allowed; until then the button shows the remaining time. */
export function SendAgain({ waitUntil, busy, ...rest }: SendAgainProps) {
  const left = useSecondsUntil(waitUntil)
  return (
    <Button {...rest} look="quiet" busy={busy} {...(left > 0 && { unavailable: 'Codes are sent one at a time.' })}>
      {busy ? 'Sending...' : left > 0 ? `Send another code in ${left} s` : 'Send another code'}
    </Button>
  )
}

function useSecondsUntil(moment: number): number {
  const [left, setLeft] = useState(() => secondsUntil(moment))
  useEffect(() => {
    const tick = () => setLeft(secondsUntil(moment))
    tick()
    const timer = setInterval(tick, 250)
    return () => clearInterval(timer)
  }, [moment])
  return left
}

function secondsUntil(moment: number): number {
  return Math.max(0, Math.ceil((moment - Date.now()) / 1000))
}
