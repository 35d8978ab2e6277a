import { identity } from '#app/content/identity.ts'
import { OnceDialog } from '#app/ui/admin/once-dialog.tsx'
import { Button } from '#app/ui/button.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'

/** New recovery codes, shown only once. */
export function CodeDialog({ codes, close }: { codes: string[]; close: () => void }) {
  return (
    <OnceDialog title="Save your recovery codes" what="these codes" done="I’ve saved them" close={close}>
      {(kept) => <CodeList codes={codes} kept={kept} />}
    </OnceDialog>
  )
}

function CodeList({ codes, kept }: { codes: string[]; kept: () => void }) {
  return (
    <>
      <p className="text-small text-muted">
        Use one to sign in if you lose your phone. Each works once. Copy them now. You won’t be able to see them again.
      </p>
      <ul className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-card bg-sunken px-4 py-3.5 font-mono text-small sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <CopyButton text={codes.join('\n')} label="Copy codes" onCopied={kept} />
        <Button
          type="button"
          look="quiet"
          size="small"
          onClick={() => {
            download(codes)
            kept()
          }}
        >
          Download codes
        </Button>
      </div>
    </>
  )
}

function download(codes: string[]) {
  const text = `Recovery codes for ${identity.name}, ${location.host}\nEach works once.\n\n${codes.join('\n')}\n`
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  Object.assign(document.createElement('a'), { href: url, download: 'recovery-codes.txt' }).click()
  URL.revokeObjectURL(url)
}
