// A reference service whose process exits on one request: an update that names a trunk with an apostrophe. Its port is the
// first argument; it prints its settings.
import { createReference } from '../../dist/fixtures/service/reference.js';
import { listen } from '../../dist/fixtures/service/serve.js';

const { service, settings } = createReference();
const dying = async (request) => {
  const text = new TextDecoder().decode(request.body);
  if (request.method === 'PATCH' && request.target.startsWith('/v1/trunks/') && /"name":"[^,]*'/.test(text))
    process.exit(1);
  return service(request);
};
const { url } = await listen(dying, { port: Number(process.argv[2]) });
console.log(JSON.stringify({ ...settings, PCS_BASE_URL: url }));
