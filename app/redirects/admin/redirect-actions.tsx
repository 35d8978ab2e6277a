import { FileDownIcon, FileUpIcon, PlusIcon, RouteIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { laterCode, LaterDialog } from '#app/ui/later-code.tsx'

const tools = [
  { name: 'Test a URL', icon: RouteIcon, code: laterCode('The test', async () => (await import('./address-test.tsx')).AddressTest) },
  {
    name: 'Import',
    icon: FileUpIcon,
    code: laterCode('The import', async () => (await import('./import-dialog.tsx')).RedirectImportDialog),
  },
  { name: 'Export', icon: FileDownIcon, code: laterCode('The export', async () => (await import('./export-dialog.tsx')).ExportDialog) },
]

export function RedirectActions({ create }: { create: () => void }) {
  const [open, setOpen] = useState<string>()
  const close = () => setOpen(undefined)
  return (
    <>
      {tools.map(({ name, icon: Icon, code }) => (
        <Button key={name} type="button" look="quiet" onPointerEnter={code.warm} onFocus={code.warm} onClick={() => setOpen(name)}>
          <Icon aria-hidden="true" className="size-4" />
          {name}
        </Button>
      ))}
      <Button type="button" onClick={() => create()}>
        <PlusIcon aria-hidden="true" className="size-4" />
        New Redirect
      </Button>
      {tools.map(
        ({ name, code }) =>
          open === name && (
            <LaterDialog key={name} code={code} onClose={close}>
              {(Tool) => <Tool close={close} />}
            </LaterDialog>
          ),
      )}
    </>
  )
}
