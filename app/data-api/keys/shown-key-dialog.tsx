import { OnceDialog } from '#app/ui/admin/once-dialog.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import type { MadeKey } from './api-key.ts'

/** The only time that a key is shown. */
export function ShownKeyDialog({ made: { key, name }, close }: { made: MadeKey; close: () => void }) {
  return (
    <OnceDialog title={`Your key: ${name}`} what="this key" close={close}>
      {(kept) => (
        <>
          <p className="rounded-control border border-line bg-grain-wash px-4 py-3 text-small text-grain-text">
            <strong>Copy this key now. You won’t be able to see it again.</strong> We store only its hash. Anyone with the key can read your
            datasets, so store it as a secret, never in a web page or a repository.
          </p>
          <code data-key className="block rounded-control border border-line bg-sunken px-4 py-3 font-mono text-small wrap-anywhere">
            {key}
          </code>
          <div>
            <CopyButton text={key} label="Copy the key" onCopied={kept} />
          </div>
          <p className="text-small text-muted">
            Programs send it as a header:{' '}
            <code className="font-mono text-fine wrap-anywhere">Authorization: Bearer {key.slice(0, 11)}…</code>
          </p>
        </>
      )}
    </OnceDialog>
  )
}
