import { Link2 } from 'lucide-react'
import { Button } from '#app/ui/button.tsx'
import { toast } from '#app/ui/toast.ts'

/** The maximum characters of a query in a link: some programs cut longer URLs. */
export const MOST_IN_ADDRESS = 4000

/** Copies a link to this query. It opens the query without running it, and running it needs access to the dataset. */
export function LinkButton({ sql }: { sql: string }) {
  const tooLong = sql.length > MOST_IN_ADDRESS
  const copy = async () => {
    const address = new URL(location.href)
    address.search = String(new URLSearchParams({ sql: sql.trim() }))
    try {
      await navigator.clipboard.writeText(address.href)
      toast({ title: 'Link copied', description: 'Link to this query. Only people with access to the dataset can run it.' })
    } catch {
      history.replaceState(history.state, '', address)
      toast({ title: 'Copy the link from the address bar', description: 'This browser blocked copying.' })
    }
  }
  return (
    <Button type="button" look="quiet" {...(tooLong && { unavailable: 'This query is too long for a link.' })} onClick={() => void copy()}>
      <Link2 aria-hidden="true" className="size-4" />
      Copy link
    </Button>
  )
}
