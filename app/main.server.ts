// The file that starts the product.
import { main } from './server.ts'

main(process.argv.slice(2))
