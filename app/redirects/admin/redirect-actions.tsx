import { FileDown, FileUp, Plus, Route } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { AddressTest } from './address-test.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { RedirectImportDialog } from './import-dialog.tsx'

const tools = [
  { name: 'Test a URL', icon: Route, Tool: AddressTest },
  { name: 'Import', icon: FileUp, Tool: RedirectImportDialog },
  { name: 'Export', icon: FileDown, Tool: ExportDialog },
]

export function RedirectActions({ create }: { create: () => void }) {
  const [open, setOpen] = useState<string>()
  const close = () => setOpen(undefined)
  return (
    <>
      {tools.map(({ name, icon: Icon }) => (
        <Button key={name} type="button" look="quiet" onClick={() => setOpen(name)}>
          <Icon aria-hidden="true" className="size-4" />
          {name}
        </Button>
      ))}
      <Button type="button" onClick={() => create()}>
        <Plus aria-hidden="true" className="size-4" />
        New Redirect
      </Button>
      {tools.map(({ name, Tool }) => open === name && <Tool key={name} close={close} />)}
    </>
  )
}
