import { identity } from '#app/content/identity.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'

/** New recovery codes, shown only once. */
export function CodeDialog({ codes, close }: { codes: string[]; close: () => void }) {
  const kept = (
    <Button type="button" onClick={close}>
      I’ve saved them
    </Button>
  )
  return (
    <Dialog open onClose={close} title="Save your recovery codes" actions={kept}>
      <CodeList codes={codes} />
    </Dialog>
  )
}

function CodeList({ codes }: { codes: string[] }) {
  return (
    <div className="grid gap-4">
      <p className="text-small text-muted">
        Use one to sign in if you lose your phone. Each works once. Copy them now. You won’t be able to see them again.
      </p>
      <ul className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-card bg-sunken px-4 py-3.5 font-mono text-small sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <CopyButton text={codes.join('\n')} label="Copy codes" />
        <Button type="button" look="quiet" size="small" onClick={() => download(codes)}>
          Download codes
        </Button>
      </div>
    </div>
  )
}

function download(codes: string[]) {
  const text = `Recovery codes for ${identity.name}, ${location.host}\nEach works once.\n\n${codes.join('\n')}\n`
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  Object.assign(document.createElement('a'), { href: url, download: 'recovery-codes.txt' }).click()
  URL.revokeObjectURL(url)
}
