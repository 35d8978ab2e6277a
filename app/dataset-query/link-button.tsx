import { Link2 } from 'lucide-react'
import { Button } from '#app/ui/button.tsx'
import { toast } from '#app/ui/toast.ts'

/** Characters of a question: with more, some programs cut the address. */
export const MOST_IN_ADDRESS = 4000

/** Copies the address of this question. Whoever opens it sees the question, and runs it by themselves if they may. */
export function LinkButton({ sql }: { sql: string }) {
  const tooLong = sql.length > MOST_IN_ADDRESS
  const copy = async () => {
    const address = new URL(location.href)
    address.search = String(new URLSearchParams({ sql: sql.trim() }))
    try {
      await navigator.clipboard.writeText(address.href)
      toast({ title: 'Link copied', description: 'It opens this question. Who may not have the data cannot run it.' })
    } catch {
      history.replaceState(history.state, '', address)
      toast({ title: 'The link stands in the address bar', description: 'This browser did not let us copy it.' })
    }
  }
  return (
    <Button
      type="button"
      look="quiet"
      {...(tooLong && { unavailable: 'This question is too long for a link.' })}
      onClick={() => void copy()}
    >
      <Link2 aria-hidden="true" className="size-4" />
      Copy link
    </Button>
  )
}
