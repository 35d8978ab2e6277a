import { useEffect, useState } from 'react'
import { Button } from '#app/ui/button.tsx'

type SendAgainProps = React.ComponentProps<typeof Button> & {
  what?: 'code' | 'email'
  /** None is sent before this time, in milliseconds since 1970. */
  waitUntil: number
  busy: boolean
}

const words = {
  code: { send: 'Send another code', pause: 'Codes are sent one at a time.' },
  email: { send: 'Resend the email', pause: 'Emails are sent one at a time.' },
}

/** Sends another code or email once that is allowed; until then the button shows the remaining time. */
export function SendAgain({ what = 'code', waitUntil, busy, ...rest }: SendAgainProps) {
  const left = useSecondsUntil(waitUntil)
  return (
    <Button {...rest} look="quiet" busy={busy} {...(left > 0 && { unavailable: words[what].pause })}>
      {busy ? 'Sending...' : left > 0 ? `${words[what].send} in ${left} s` : words[what].send}
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
