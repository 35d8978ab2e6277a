import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'

type AccountCardProps = {
  title: string
  intro?: string | undefined
  notice?: string | undefined
  failure?: { title: string; sentence: string } | undefined
  children: React.ReactNode
}

/** The card of a sign-in or recovery page. */
export function AccountCard({ title, intro, notice, failure, children }: AccountCardProps) {
  return (
    <div className="wrap grid grow content-center py-12 sm:py-20">
      <Card as="section" pad="roomy" className="mx-auto grid w-full max-w-lg gap-6" aria-labelledby="account-title">
        <h1 id="account-title" className="text-h2">
          {title}
        </h1>
        {intro && <p className="text-muted">{intro}</p>}
        {notice && (
          <p role="status" className="rounded-control border border-leaf px-4 py-3 text-small font-medium">
            {notice}
          </p>
        )}
        {failure && (
          <div role="alert" className="rounded-control border border-alarm bg-alarm-wash px-4 py-3 text-small">
            <p className="font-semibold">{failure.title}</p>
            <p>{failure.sentence}</p>
          </div>
        )}
        {children}
      </Card>
    </div>
  )
}

/** Uses the link of an email up when it is pressed, because mail scanners open every link before its reader does. */
export function UseLinkForm({ token, label }: { token: string; label: string }) {
  return (
    <form method="post" className="grid">
      <input type="hidden" name="token_hash" value={token} />
      <Button>{label}</Button>
    </form>
  )
}
