// Writes the finished files of the console into console/built, or the folder that is given: for an image or a package, which have no
// bundler.
import { writeBundle } from '../src/api/console-bundle.ts';

await writeBundle(process.argv[2] ?? 'console/built');
