/*
 * shadowed.h - is memory resident that is a sanitizer's and not ours?
 */
#ifndef BESPOKE_SHADOWED_H
#define BESPOKE_SHADOWED_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SHADOWED 1
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SHADOWED 1
#endif
#ifndef SHADOWED
#define SHADOWED 0
#endif

#endif
