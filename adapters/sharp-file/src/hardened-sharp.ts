import sharp from 'sharp';

// libvips may decode JPEG and PNG from memory, and nothing else. One thread, because the child pool limits the number of
// processes. No cache, so that nothing of one document stays for the next one.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });
sharp.concurrency(1);
sharp.cache(false);

export { sharp };
