// Apart from bin.cjs, because an old Node cannot even parse this.
import('./main.js');
