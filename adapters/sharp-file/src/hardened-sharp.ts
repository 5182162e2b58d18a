import sharp from 'sharp';

// libvips may decode only JPEG and PNG, and only from memory. It uses one thread, because the child pool already runs
// several processes. It has no cache, so that no data of one document remains for the next one.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });
sharp.concurrency(1);
sharp.cache(false);

export { sharp };
